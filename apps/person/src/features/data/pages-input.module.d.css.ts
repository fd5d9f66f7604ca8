declare const classes: {
  readonly file: string
  readonly page: string
  readonly pages: string
  readonly picture: string
}
export default classes
