declare const classes: {
  readonly pick: string
  readonly video: string
}
export default classes
