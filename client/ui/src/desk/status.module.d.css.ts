declare const classes: {
  readonly calm: string
  readonly count: string
  readonly failed: string
  readonly keys: string
  readonly runs: string
  readonly status: string
  readonly waits: string
}
export default classes
