# prog: odd_names  hide: system
$ ompdb stack --raw TARGET
