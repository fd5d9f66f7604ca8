declare const classes: {
  readonly drop: string
  readonly over: string
}
export default classes
