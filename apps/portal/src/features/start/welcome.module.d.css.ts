declare const classes: {
  readonly promises: string
}
export default classes
