declare const classes: {
  readonly brand: string
  readonly company: string
  readonly frame: string
  readonly side: string
}
export default classes
