# prog: omp_nested-gcc-O0  same-on-core: yes
$ ompdb stack TARGET
$ ompdb omp TARGET
