// Whether the parameters of a tool are a schema that the services take.

import { isRecord } from "./json.ts";

const types = ["string", "number", "integer", "boolean", "object", "array", "null"];

/** The keywords of Gemini's own schema dialect: it refuses all others. */
const geminiKeywords = [
  "type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties",
  "required", "minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf",
  "propertyOrdering", "default", "minimum", "maximum",
];

export interface SchemaRules {
  /** OpenAI's strict mode: every object is closed and requires all of its properties. */
  strict: boolean;
  gemini: boolean;
}

export interface SchemaProblem {
  path: string[];
  /** Set when the problem is a keyword that Gemini does not know. */
  unknownKeyword?: string;
  complaint: string;
}

/** The first problem of a tool's parameters, or null. */
export function parametersProblem(schema: unknown, rules: SchemaRules): SchemaProblem | null {
  if (!isRecord(schema)) return { path: [], complaint: "schema must be a JSON object" };
  if (String(schema["type"]).toLowerCase() !== "object") {
    return { path: [], complaint: `schema must be a JSON Schema of 'type: "object"', got 'type: "${typeof schema["type"] === "string" ? schema["type"] : "None"}"'` };
  }
  return problem(schema, [], rules, schema);
}

function problem(schema: unknown, path: string[], rules: SchemaRules, root: Record<string, unknown>): SchemaProblem | null {
  if (typeof schema === "boolean" && !rules.gemini) return null;
  if (!isRecord(schema)) return { path, complaint: "is not a schema" };
  return (
    keywordProblem(schema, path, rules) ??
    typeProblem(schema, path) ??
    referenceProblem(schema, path, root) ??
    objectProblem(schema, path, rules) ??
    childProblem(schema, path, rules, root)
  );
}

function keywordProblem(schema: Record<string, unknown>, path: string[], rules: SchemaRules): SchemaProblem | null {
  if (!rules.gemini) return null;
  const unknownKeyword = Object.keys(schema).find((key) => !geminiKeywords.includes(key));
  return unknownKeyword === undefined ? null : { path, unknownKeyword, complaint: "Cannot find field." };
}

function typeProblem(schema: Record<string, unknown>, path: string[]): SchemaProblem | null {
  const named = schema["type"] === undefined ? [] : [schema["type"]].flat();
  const wrong = named.find((type) => typeof type !== "string" || !types.includes(type.toLowerCase()));
  if (wrong !== undefined) return { path, complaint: `${JSON.stringify(wrong)} is not a valid type` };
  if (named.some((type) => typeof type === "string" && type.toLowerCase() === "array") && schema["items"] === undefined) {
    return { path, complaint: "array schema missing items" };
  }
  if (schema["enum"] !== undefined && !(Array.isArray(schema["enum"]) && schema["enum"].length > 0)) {
    return { path, complaint: "enum must be an array with at least one value" };
  }
  return null;
}

function referenceProblem(schema: Record<string, unknown>, path: string[], root: Record<string, unknown>): SchemaProblem | null {
  const reference = schema["$ref"];
  if (reference === undefined) return null;
  if (typeof reference !== "string" || !reference.startsWith("#")) {
    return { path, complaint: "$ref must point into the schema itself" };
  }
  const target = reference.slice(1).split("/").filter((part) => part !== "")
    .reduce<unknown>((at, part) => (isRecord(at) ? at[part] : undefined), root);
  return target === undefined ? { path, complaint: `reference ${reference} points to nothing` } : null;
}

function objectProblem(schema: Record<string, unknown>, path: string[], rules: SchemaRules): SchemaProblem | null {
  const { properties, required } = schema;
  if (properties !== undefined && !isRecord(properties)) return { path, complaint: "properties must be an object" };
  if (required !== undefined && !(Array.isArray(required) && required.every((name) => typeof name === "string"))) {
    return { path, complaint: "required must be an array of strings" };
  }
  const names = Object.keys(properties ?? {});
  const demanded = (required ?? []);
  if (rules.gemini) {
    const undefinedName = demanded.find((name) => !names.includes(name));
    if (undefinedName !== undefined) return { path, complaint: `required: property is not defined: ${undefinedName}` };
    if (isRecord(properties) && names.length === 0) {
      return { path, complaint: "properties: should be non-empty for OBJECT type" };
    }
  }
  if (rules.strict && schema["type"] === "object") {
    if (schema["additionalProperties"] !== false) {
      return { path, complaint: "'additionalProperties' is required to be supplied and to be false" };
    }
    const missing = names.find((name) => !demanded.includes(name));
    if (missing !== undefined) {
      return { path, complaint: `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'` };
    }
  }
  return null;
}

function childProblem(
  schema: Record<string, unknown>, path: string[], rules: SchemaRules, root: Record<string, unknown>,
): SchemaProblem | null {
  const children: [string[], unknown][] = [];
  for (const key of ["properties", "$defs", "definitions"]) {
    const group = schema[key];
    if (isRecord(group)) children.push(...Object.entries(group).map(([name, child]): [string[], unknown] => [[key, name], child]));
  }
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const group = schema[key];
    if (Array.isArray(group)) children.push(...group.map((child, index): [string[], unknown] => [[key, String(index)], child]));
  }
  if (schema["items"] !== undefined) children.push([["items"], schema["items"]]);
  for (const [steps, child] of children) {
    const found = problem(child, [...path, ...steps], rules, root);
    if (found !== null) return found;
  }
  return null;
}
