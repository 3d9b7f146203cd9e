"""What a user names as input: files, folders, archives and media."""
