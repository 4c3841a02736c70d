/** Style sheets that a module imports are texts. */
declare module "*.css" {
  const text: string;
  export default text;
}
