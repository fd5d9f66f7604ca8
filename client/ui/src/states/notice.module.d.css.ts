declare const classes: {
  readonly act: string
  readonly bad: string
  readonly empty: string
  readonly next: string
  readonly notice: string
  readonly pending: string
  readonly tag: string
  readonly wait: string
  readonly what: string
}
export default classes
