"""What each page of the app shows."""
