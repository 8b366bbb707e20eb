"""The views that are drawn in the browser, for any host.

A view gets a payload and hands out wishes; what it draws depends on nothing else. The app is one
host of them, the static site another, a notebook a third.
"""
