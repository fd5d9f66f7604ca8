declare const classes: {
  readonly halves: string
}
export default classes
