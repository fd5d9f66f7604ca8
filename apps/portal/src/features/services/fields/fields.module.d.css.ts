declare const classes: {
  readonly about: string
  readonly acts: string
  readonly kind: string
  readonly list: string
  readonly loss: string
  readonly sides: string
}
export default classes
