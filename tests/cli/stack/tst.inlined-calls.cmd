# prog: inline_frames-gcc-O2  hide: system
$ ompdb stack --raw TARGET
