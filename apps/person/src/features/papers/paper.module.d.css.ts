declare const classes: {
  readonly description: string
  readonly facts: string
  readonly fileName: string
  readonly history: string
  readonly picture: string
  readonly plain: string
  readonly reader: string
  readonly save: string
  readonly seal: string
  readonly written: string
}
export default classes
