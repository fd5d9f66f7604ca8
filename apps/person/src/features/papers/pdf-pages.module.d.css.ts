declare const classes: {
  readonly bar: string
  readonly page: string
  readonly pages: string
  readonly paper: string
  readonly size: string
  readonly text: string
}
export default classes
