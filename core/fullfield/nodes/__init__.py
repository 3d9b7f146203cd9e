"""Other machines that compute for this one, reached by the system's ssh: no daemon, no open port, no key of ours."""
