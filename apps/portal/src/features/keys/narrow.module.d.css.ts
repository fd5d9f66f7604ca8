declare const classes: {
  readonly narrow: string
}
export default classes
