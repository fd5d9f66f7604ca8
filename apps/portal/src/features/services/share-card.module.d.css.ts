declare const classes: {
  readonly big: string
  readonly card: string
  readonly code: string
  readonly link: string
  readonly ways: string
}
export default classes
