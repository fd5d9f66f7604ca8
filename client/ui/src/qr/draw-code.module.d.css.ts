declare const classes: {
  readonly code: string
}
export default classes
