declare const classes: {
  readonly fingerprint: string
  readonly key: string
  readonly narrow: string
  readonly services: string
}
export default classes
