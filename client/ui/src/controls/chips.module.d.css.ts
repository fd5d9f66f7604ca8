declare const classes: {
  readonly chips: string
}
export default classes
