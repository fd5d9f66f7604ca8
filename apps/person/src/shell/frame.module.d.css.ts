declare const classes: {
  readonly brand: string
  readonly dock: string
  readonly frame: string
}
export default classes
