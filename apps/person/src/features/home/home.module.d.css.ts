declare const classes: {
  readonly code: string
  readonly icon: string
  readonly letters: string
}
export default classes
