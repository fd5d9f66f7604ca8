declare const classes: {
  readonly brand: string
  readonly code: string
  readonly language: string
  readonly link: string
  readonly links: string
  readonly screen: string
}
export default classes
