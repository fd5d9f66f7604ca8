declare const classes: {
  readonly brand: string
  readonly company: string
  readonly disc: string
  readonly find: string
  readonly frame: string
  readonly me: string
  readonly name: string
  readonly page: string
  readonly person: string
  readonly side: string
  readonly skip: string
  readonly text: string
  readonly title: string
}
export default classes
