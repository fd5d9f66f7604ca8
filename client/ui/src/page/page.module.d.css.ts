declare const classes: {
  readonly about: string
  readonly above: string
  readonly back: string
  readonly body: string
  readonly bullets: string
  readonly card: string
  readonly end: string
  readonly hidden: string
  readonly lead: string
  readonly name: string
  readonly page: string
  readonly quiet: string
  readonly row: string
  readonly rows: string
  readonly section: string
  readonly stub: string
  readonly text: string
  readonly top: string
  readonly torn: string
  readonly wide: string
}
export default classes
