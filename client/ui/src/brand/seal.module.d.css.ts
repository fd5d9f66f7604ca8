declare const classes: {
  readonly brand: string
  readonly large: string
  readonly mark: string
  readonly medium: string
  readonly party1: string
  readonly party2: string
  readonly party3: string
  readonly party4: string
  readonly party5: string
  readonly seal: string
  readonly small: string
}
export default classes
