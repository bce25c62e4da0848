if x and
    y: pass
