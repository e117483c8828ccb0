# prog: omp_nested-clang-O0  same-on-core: yes
$ ompdb stack TARGET
$ ompdb omp TARGET
