declare const classes: {
  readonly after: string
  readonly answer: string
  readonly caret: string
  readonly dialog: string
  readonly digits: string
  readonly label: string
  readonly left: string
  readonly link: string
  readonly problem: string
  readonly reason: string
  readonly said: string
  readonly screen: string
  readonly stub: string
  readonly top: string
  readonly whole: string
}
export default classes
