declare const classes: {
  readonly bare: string
  readonly button: string
  readonly buttons: string
  readonly danger: string
  readonly main: string
  readonly stacked: string
  readonly wide: string
}
export default classes
