declare const classes: {
  readonly aside: string
  readonly brand: string
  readonly course: string
  readonly head: string
  readonly leave: string
  readonly paper: string
  readonly part: string
  readonly proof: string
  readonly rite: string
  readonly steps: string
  readonly stores: string
}
export default classes
