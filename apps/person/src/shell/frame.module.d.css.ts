declare const classes: {
  readonly brand: string
  readonly dock: string
  readonly frame: string
  readonly icon: string
  readonly mark: string
}
export default classes
