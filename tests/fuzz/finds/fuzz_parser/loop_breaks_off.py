for i in
    x: pass
