// Emitted from src/kinds by `npm run generate`; never edited by hand.

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';
import { inThisEngine, registerConstruct } from '../../engine/engine.ts';

// Configuration

export interface PluginConfig extends cdktf.TerraformMetaArguments {
  /**
  * Whether to adopt an existing live object that equals the configuration, instead of failing.
  */
  readonly adopt?: boolean | cdktf.IResolvable;
  /**
  * Rules that may not block this object: "source_unreadable" (writing source files of a live plugin whose current files cannot be read for a comparison).
  */
  readonly allow?: ('source_unreadable')[];
  /**
  * The settings that the plugin needs. JSON text; write it with `jsonencode(...)`.
  */
  readonly configSchema?: string;
  /**
  * What the plugin does.
  */
  readonly description?: string;
  /**
  * The address of a picture.
  */
  readonly icon?: string;
  /**
  * Whether every organization can use it.
  */
  readonly isGlobal?: boolean | cdktf.IResolvable;
  /**
  * The name; the service does not keep it unique.
  */
  readonly name: string;
  /**
  * The organization of the object. Default: the provider's organization.
  */
  readonly organizationId?: string;
  /**
  * Where the code comes from. One of "local", "custom", "repository", "source".
  */
  readonly pluginType?: 'local' | 'custom' | 'repository' | 'source' | cdktf.IResolvable;
  /**
  * Jobs that people can start. JSON text; write it with `jsonencode(...)`.
  */
  readonly publicJobs?: string;
  /**
  * Source files, from name to text. A file that you remove here is deleted. Other files stay unchanged.
  */
  readonly source?: { [key: string]: string };
  /**
  * The installed version.
  */
  readonly tag?: string;
}

/**
* `vexil_plugin`, described in examples/terraform/docs/resources/plugin.md
*/
export class Plugin extends cdktf.TerraformResource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "vexil_plugin";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a Plugin resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the Plugin to import
  * @param importFromId The id of the existing Plugin that should be imported. See examples/terraform/docs/resources/plugin.md for the id to use
  * @param provider? Optional instance of the provider where the Plugin to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(inThisEngine(scope, importToId), importToId, { terraformResourceType: "vexil_plugin", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new `vexil_plugin`
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options PluginConfig
  */
  public constructor(scope: Construct, id: string, config: PluginConfig) {
    super(inThisEngine(scope, id), id, {
      terraformResourceType: 'vexil_plugin',
      terraformGeneratorMetadata: {
        providerName: 'vexil',
        providerVersionConstraint: '~> 0.1'
      },
      provider: config.provider,
      dependsOn: config.dependsOn,
      count: config.count,
      lifecycle: config.lifecycle,
      provisioners: config.provisioners,
      connection: config.connection,
      forEach: config.forEach
    });
    registerConstruct(this);
    this._adopt = config.adopt;
    this._allow = config.allow;
    this._configSchema = config.configSchema;
    this._description = config.description;
    this._icon = config.icon;
    this._isGlobal = config.isGlobal;
    this._name = config.name;
    this._organizationId = config.organizationId;
    this._pluginType = config.pluginType;
    this._publicJobs = config.publicJobs;
    this._source = config.source;
    this._tag = config.tag;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // adopt - computed: false, optional: true, required: false
  private _adopt?: boolean | cdktf.IResolvable;
  public get adopt() {
    return this.getBooleanAttribute('adopt');
  }
  public set adopt(value: boolean | cdktf.IResolvable) {
    this._adopt = value;
  }
  public resetAdopt() {
    this._adopt = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get adoptInput() {
    return this._adopt;
  }

  // allow - computed: false, optional: true, required: false
  private _allow?: string[];
  public get allow() {
    return cdktf.Fn.tolist(this.getListAttribute('allow'));
  }
  public set allow(value: string[]) {
    this._allow = value;
  }
  public resetAllow() {
    this._allow = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get allowInput() {
    return this._allow;
  }

  // config_schema - computed: true, optional: true, required: false
  private _configSchema?: string;
  public get configSchema() {
    return this.getStringAttribute('config_schema');
  }
  public set configSchema(value: string) {
    this._configSchema = value;
  }
  public resetConfigSchema() {
    this._configSchema = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get configSchemaInput() {
    return this._configSchema;
  }

  // description - computed: true, optional: true, required: false
  private _description?: string;
  public get description() {
    return this.getStringAttribute('description');
  }
  public set description(value: string) {
    this._description = value;
  }
  public resetDescription() {
    this._description = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get descriptionInput() {
    return this._description;
  }

  // icon - computed: true, optional: true, required: false
  private _icon?: string;
  public get icon() {
    return this.getStringAttribute('icon');
  }
  public set icon(value: string) {
    this._icon = value;
  }
  public resetIcon() {
    this._icon = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get iconInput() {
    return this._icon;
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getStringAttribute('id');
  }

  // is_global - computed: true, optional: true, required: false
  private _isGlobal?: boolean | cdktf.IResolvable;
  public get isGlobal() {
    return this.getBooleanAttribute('is_global');
  }
  public set isGlobal(value: boolean | cdktf.IResolvable) {
    this._isGlobal = value;
  }
  public resetIsGlobal() {
    this._isGlobal = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get isGlobalInput() {
    return this._isGlobal;
  }

  // name - computed: false, optional: false, required: true
  private _name?: string;
  public get name() {
    return this.getStringAttribute('name');
  }
  public set name(value: string) {
    this._name = value;
  }
  // Temporarily expose input value. Use with caution.
  public get nameInput() {
    return this._name;
  }

  // organization_id - computed: true, optional: true, required: false
  private _organizationId?: string;
  public get organizationId() {
    return this.getStringAttribute('organization_id');
  }
  public set organizationId(value: string) {
    this._organizationId = value;
  }
  public resetOrganizationId() {
    this._organizationId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get organizationIdInput() {
    return this._organizationId;
  }

  // plugin_type - computed: true, optional: true, required: false
  private _pluginType?: string | cdktf.IResolvable;
  public get pluginType(): 'local' | 'custom' | 'repository' | 'source' {
    return this.getStringAttribute('plugin_type') as 'local' | 'custom' | 'repository' | 'source';
  }
  public set pluginType(value: string | cdktf.IResolvable) {
    this._pluginType = value;
  }
  public resetPluginType() {
    this._pluginType = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get pluginTypeInput() {
    return this._pluginType;
  }

  // public_jobs - computed: true, optional: true, required: false
  private _publicJobs?: string;
  public get publicJobs() {
    return this.getStringAttribute('public_jobs');
  }
  public set publicJobs(value: string) {
    this._publicJobs = value;
  }
  public resetPublicJobs() {
    this._publicJobs = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get publicJobsInput() {
    return this._publicJobs;
  }

  // source - computed: true, optional: true, required: false
  private _source?: { [key: string]: string };
  public get source() {
    return this.getStringMapAttribute('source');
  }
  public set source(value: { [key: string]: string }) {
    this._source = value;
  }
  public resetSource() {
    this._source = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get sourceInput() {
    return this._source;
  }

  // tag - computed: true, optional: true, required: false
  private _tag?: string;
  public get tag() {
    return this.getStringAttribute('tag');
  }
  public set tag(value: string) {
    this._tag = value;
  }
  public resetTag() {
    this._tag = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get tagInput() {
    return this._tag;
  }

  // =========
  // SYNTHESIS
  // =========

  protected override synthesizeAttributes(): { [name: string]: any } {
    return {
      adopt: cdktf.booleanToTerraform(this._adopt),
      allow: cdktf.listMapper(cdktf.stringToTerraform, false)(this._allow),
      config_schema: cdktf.stringToTerraform(this._configSchema),
      description: cdktf.stringToTerraform(this._description),
      icon: cdktf.stringToTerraform(this._icon),
      is_global: cdktf.booleanToTerraform(this._isGlobal),
      name: cdktf.stringToTerraform(this._name),
      organization_id: cdktf.stringToTerraform(this._organizationId),
      plugin_type: cdktf.stringToTerraform(this._pluginType),
      public_jobs: cdktf.stringToTerraform(this._publicJobs),
      source: cdktf.hashMapper(cdktf.stringToTerraform)(this._source),
      tag: cdktf.stringToTerraform(this._tag),
    };
  }

  protected override synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      adopt: {
        value: cdktf.booleanToHclTerraform(this._adopt),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      allow: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._allow),
        isBlock: false,
        type: "set",
        storageClassType: "stringList",
      },
      config_schema: {
        value: cdktf.stringToHclTerraform(this._configSchema),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      description: {
        value: cdktf.stringToHclTerraform(this._description),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      icon: {
        value: cdktf.stringToHclTerraform(this._icon),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      is_global: {
        value: cdktf.booleanToHclTerraform(this._isGlobal),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      name: {
        value: cdktf.stringToHclTerraform(this._name),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      organization_id: {
        value: cdktf.stringToHclTerraform(this._organizationId),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      plugin_type: {
        value: cdktf.stringToHclTerraform(this._pluginType),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      public_jobs: {
        value: cdktf.stringToHclTerraform(this._publicJobs),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      source: {
        value: cdktf.hashMapperHcl(cdktf.stringToHclTerraform)(this._source),
        isBlock: false,
        type: "map",
        storageClassType: "stringMap",
      },
      tag: {
        value: cdktf.stringToHclTerraform(this._tag),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
