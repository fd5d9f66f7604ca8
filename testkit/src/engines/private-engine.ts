/** An engine that a test started for itself on a free port of loopback and may therefore kill. */
export interface PrivateEngine {
  /** How clients reach it; the same after a restart. */
  readonly url: string
  isRunning(): boolean
  /** SIGKILL, then waits until the process is gone. */
  kill(): Promise<void>
  /** SIGSTOP, then waits until the process stands still: connections stay open and nothing is answered. */
  freeze(): Promise<void>
  /** SIGCONT. */
  thaw(): void
  /** Starts it again on the same port with the same data and waits until it answers. */
  start(): Promise<void>
  /** Removes its data; only while it is not running. */
  wipe(): Promise<void>
  /** Ends it and removes everything it wrote. */
  remove(): Promise<void>
}
