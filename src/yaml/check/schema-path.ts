/** Where the schema of declarations is in a repository, seen from its top: `vexil init` puts it there. */
export const declarationSchemaPath = 'schemas/declarations.schema.json'
