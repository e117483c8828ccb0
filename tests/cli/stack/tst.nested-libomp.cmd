# prog: omp_nested-clang-O0  hide: system
$ ompdb stack --raw TARGET
