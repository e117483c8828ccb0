# prog: omp_nested-gcc-O0  hide: system
$ ompdb stack --raw TARGET
