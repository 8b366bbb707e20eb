"""What reaches the server and what an address says: security, the selection, ways between pages."""
