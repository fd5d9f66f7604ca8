declare const classes: {
  readonly copy: string
  readonly own: string
  readonly thread: string
  readonly value: string
  readonly values: string
  readonly what: string
}
export default classes
