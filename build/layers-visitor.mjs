/**
 * Teaches swc's visitor, which dependency-cruiser walks TypeScript with, the one statement it does not know:
 * `using` and `await using` declarations. Without it the whole run ends with "Unknown statement type".
 * Loaded by `node --import` from check-layers.ts.
 */
import visitorModule from "@swc/core/Visitor.js";

const { prototype } = visitorModule.Visitor ?? visitorModule;
const visitKnownStatement = prototype.visitStatement;

prototype.visitStatement = function visitStatement(statement) {
  if (statement.type !== "UsingDeclaration") return visitKnownStatement.call(this, statement);
  statement.decls = this.visitVariableDeclarators(statement.decls);
  return statement;
};
