declare const classes: {
  readonly about: string
  readonly area: string
  readonly begin: string
  readonly compose: string
  readonly date: string
  readonly day: string
  readonly end: string
  readonly leaving: string
  readonly message: string
  readonly newHere: string
  readonly newest: string
  readonly own: string
  readonly text: string
  readonly thread: string
  readonly unopened: string
  readonly unread: string
  readonly writing: string
}
export default classes
