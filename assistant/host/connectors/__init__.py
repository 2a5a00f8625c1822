"""The provider runtimes that a host can run. Each is one module (or package) that speaks `base.Connector`."""
