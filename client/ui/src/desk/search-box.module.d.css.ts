declare const classes: {
  readonly box: string
}
export default classes
