declare const classes: {
  readonly fingerprint: string
}
export default classes
