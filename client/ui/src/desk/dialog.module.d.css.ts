declare const classes: {
  readonly about: string
  readonly acts: string
  readonly back: string
  readonly body: string
  readonly close: string
  readonly dialog: string
  readonly drawer: string
  readonly head: string
  readonly inspector: string
  readonly title: string
}
export default classes
