# prog: chain-gcc-O0  same-on-core: yes  hide: system
$ ompdb stack --raw TARGET
