declare const classes: {
  readonly ask: string
  readonly copy: string
  readonly head: string
  readonly travels: string
}
export default classes
