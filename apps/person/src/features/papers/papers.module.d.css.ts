declare const classes: {
  readonly face: string
}
export default classes
